import { render } from "lit-html"
import "katex/dist/katex.min.css"
import * as App from "./App.ts"
import { page } from "./view/page.ts"

const root = document.querySelector<HTMLElement>("#page")
if (root === null) throw new Error("index.html has no element #page")

const actions = App.make((state, actions) => render(page(state, actions), root))

// Plots are as wide as their room, so that their texts keep their size.
const plots = (): Element => root.querySelector(".results") ?? root
new ResizeObserver(() => actions.show({ width: Math.round(plots().clientWidth) })).observe(plots())

window.addEventListener("dragover", (event) => {
  event.preventDefault()
  actions.show({ dragged: true })
})
window.addEventListener("dragleave", (event) => {
  // Elements of the page are left all the time; the window has no related element.
  if (event.relatedTarget === null) actions.show({ dragged: false })
})
window.addEventListener("drop", (event) => {
  event.preventDefault()
  actions.show({ dragged: false })
  const file = event.dataTransfer?.files[0]
  if (file !== undefined) actions.openFile(file)
})
