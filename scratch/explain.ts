import * as Explain from "../src/evidence/noise/Explain.ts"
import * as Noise from "../src/evidence/Noise.ts"
import * as Responses from "../src/evidence/response.ts"
import * as Link from "../src/prob/Link.ts"
const n = Number(process.argv[2] ?? 1000)
let s = 12345
const u = () => { s = (s * 1103515245 + 12345) % 2147483648; return s / 2147483648 }
const g = () => Math.sqrt(-2 * Math.log(u() + 1e-12)) * Math.cos(6.28 * u())
const cols = Array.from({ length: 4 }, () => Float64Array.from({ length: n }, () => 1 + 4 * u()))
const y = Float64Array.from({ length: n }, (_, i) => 20 + cols[0]![i]! * cols[1]![i]! / cols[2]![i]! + 0.3 * g() + (u() < 0.01 ? 5 : 0))
const links = [Link.identity, Link.log]
const rounds = Number(process.argv[3] ?? 20)
let sum = 0
for (const link of links) {
  const r = Responses.apply(link, y, Responses.strayRows)
  if (r._tag === "Dropped") continue
  for (const law of [[cols[0]!, cols[1]!], [cols[0]!.map((v, i) => v * cols[1]![i]!), cols[3]!], [cols[0]!.map((v, i) => v * cols[1]![i]! / cols[2]![i]!)]]) {
    const ex = Explain.make(Noise.latent(), y, { a: 3, resolution: 1e-7 })
    for (let i = 0; i < 3; i++) ex.explain(r, law)
    const t0 = performance.now()
    let found
    for (let i = 0; i < rounds; i++) found = ex.explain(r, law)
    console.log(link.name ?? "", ((performance.now() - t0) / rounds).toFixed(2), "ms", found!.map((f) => f.kind.name + " " + f.weighing.rows.length + " " + f.logEvidence().toFixed(12)).join("; "))
    sum += found![0]!.logEvidence()
  }
}
console.log(sum)
