// Loaded before a program (NODE_OPTIONS=--import): its clock is wrong by VASST_CLOCK_HOURS, as that of a machine that nobody has set.
const shift = 3_600_000 * Number(process.env["VASST_CLOCK_HOURS"])
const right = Date.now.bind(Date)
Date.now = () => right() + shift
globalThis.Date = new Proxy(Date, {
  construct: (target, parts, self) =>
    Reflect.construct(target, parts.length === 0 ? [Date.now()] : parts, self),
})

const timeOrigin = performance.timeOrigin + shift
Object.defineProperty(performance, "timeOrigin", { get: () => timeOrigin })
