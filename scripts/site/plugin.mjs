// What the site needs beyond TypeDoc's options: names and paths of pages, the styles and fonts of formulas, and wide
// tables and listings that a keyboard can scroll.
import fs from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"
import { Converter, PageEvent, ReflectionKind, RendererEvent, StructureRouter } from "typedoc"
import { ROOT } from "../sources.mjs"
import { sections } from "./typedoc.config.mjs"

/** The section of a page. @param {string} file from the root of the repository */
const sectionOf = (file) => {
  const [found] =
    Object.entries(sections).find(([, globs]) => globs.some((glob) => path.matchesGlob(file, glob))) ?? []
  if (found === undefined) throw new Error(`${file} is in no section of the site`)
  return found
}

/** The text of the first heading. @param {import("typedoc").DocumentReflection} page */
const titleOf = (page) => {
  const [, title = page.name] = /^# (.+)$/m.exec(page.content.map(({ text }) => text).join("")) ?? []
  // A slash would make a folder of the navigation.
  return title.replaceAll("/", " or ")
}

/** Pages lie where their Markdown lies, modules below `api/`. */
class PathRouter extends StructureRouter {
  /** @override @param {import("typedoc").Reflection} reflection */
  getIdealBaseName(reflection) {
    const file = reflection.isDocument() ? reflection.project.files.getReflectionPath(reflection) : undefined
    return file === undefined
      ? super.getIdealBaseName(reflection).replace(/^vasst\//, "api/")
      : path
          .relative(ROOT, file)
          .replace(/^docs\//, "")
          .replace(/\.md$/, "")
  }
}

/** No heading is more than a level below that before it. @param {string} html */
const stepwise = (html) => {
  let level = 0
  return html.replaceAll(/<(\/?)h([1-6])\b/g, (_, end, own) => {
    if (end === "") level = Math.min(Number(own), level + 1)
    return `<${end}h${level}`
  })
}

/** @param {import("typedoc").Application} app */
export const load = (app) => {
  app.renderer.defineRouter("paths", PathRouter)
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, page) => {
    const file = page.project.files.getReflectionPath(page) ?? ""
    const section = sectionOf(path.relative(ROOT, file))
    page.name = `${section === "" ? "" : `${section}/`}${titleOf(page)}`
  })
  // A module has the name by which it is imported.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getChildrenByKind(ReflectionKind.Module))
      module.name = `vasst/${module.name}`
  })
  app.renderer.on(PageEvent.END, (page) => {
    page.contents &&= stepwise(page.contents)
      .replaceAll(/<(pre\b|table\b|p class="katex-block")/g, '<$1 tabindex="0"')
      .replace('<div class="col-content"', '<div role="main" class="col-content"')
      .replace(
        '<div class="col-sidebar"',
        '<div role="complementary" aria-label="Contents" class="col-sidebar"',
      )
  })
  app.renderer.on(RendererEvent.END, ({ outputDirectory }) => {
    const katex = path.dirname(
      createRequire(import.meta.resolve("@vscode/markdown-it-katex")).resolve("katex/dist/katex.min.css"),
    )
    const assets = path.join(outputDirectory, "assets")
    fs.cpSync(path.join(katex, "fonts"), path.join(assets, "fonts"), {
      recursive: true,
      filter: (name) => !/\.(ttf|woff)$/.test(name),
    })
    fs.cpSync(path.join(katex, "katex.min.css"), path.join(assets, "katex.css"))
  })
}
