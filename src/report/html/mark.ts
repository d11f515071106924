/** The text that a report begins with: a file with it may be replaced by another report. */
export const mark = "<!doctype html>\n<!-- vasst report -->"
