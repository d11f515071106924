/** The style of a report but for its formulas: two colour schemes, one column on narrow screens, and paper. */
export const style = `
:root{color-scheme:light dark;--paper:#fff;--panel:#f6f7f9;--ink:#1b2430;--soft:#566274;--grid:#e6e9ee;--axis:#9aa5b4;--accent:#a8321a;--point:#1f5f99;--wrong:#b3006b;--predictive:#e4edf6;--credible:#f3c9bb;--bar:#1f5f99;--unseen:#8a6d00;--line:#d5dae2}
@media (prefers-color-scheme:dark){:root{--paper:#12161c;--panel:#1a2028;--ink:#e8ecf2;--soft:#a7b2c2;--grid:#2a323d;--axis:#66717f;--accent:#ff8f70;--point:#7cb8ee;--wrong:#ff7ac2;--predictive:#1f2f40;--credible:#5a3227;--bar:#5fa3df;--unseen:#d9b64a;--line:#333d4a}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:auto}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
main,header,footer{max-width:68rem;margin:0 auto;padding:0 1rem}
header{padding-top:2rem}
h1{font-size:1.15rem;font-weight:600;margin:0 0 .2rem;color:var(--soft)}
h2{font-size:1.35rem;line-height:1.25;margin:2.6rem 0 .6rem;padding-top:.8rem;border-top:1px solid var(--line)}
h3{font-size:1rem;margin:0 0 .2rem}
p{margin:.5rem 0;max-width:46rem}
a{color:var(--point)}
.law{font-size:clamp(1.15rem,4.2vw,2.1rem);margin:.6rem 0;padding:1.1rem .2rem;overflow-x:auto;overflow-y:hidden}
.katex{direction:ltr;unicode-bidi:isolate}
.lead{font-size:1.08rem}
.note{color:var(--soft);font-size:.92rem}
.warn{border-left:4px solid var(--unseen);padding:.1rem 0 .1rem .8rem}
nav{font-size:.92rem;margin:1rem 0 0;line-height:2}
nav a{display:inline-block;margin-right:1rem;white-space:nowrap}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20.5rem),1fr));gap:1.2rem 1.6rem;margin-top:1rem}
.pair{display:grid;gap:1rem 2rem;margin-top:1rem;align-items:start}
@media (min-width:56rem){.pair{grid-template-columns:minmax(0,28rem) minmax(0,1fr)}}
figure{margin:0;min-width:0;break-inside:avoid}
figcaption{font-size:.92rem;color:var(--soft);margin-top:.3rem}
svg.chart{display:block;width:100%;max-width:30rem;height:auto}
svg.chart text{font-family:inherit}
svg.tree{display:block;max-width:none}
svg.tree .edge{fill:none;stroke:var(--axis);stroke-width:1.5}
svg.tree rect{fill:var(--panel);stroke:var(--axis)}
svg.tree .column rect{stroke:var(--point);stroke-width:1.5}
svg.tree .number rect{stroke:none}
svg.tree text{fill:var(--ink);font-size:13px;font-family:inherit}
.scroll{overflow-x:auto;max-width:100%;margin:.6rem 0}
table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);padding:.2rem 0}
th,td{text-align:right;padding:.25rem .8rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top;white-space:nowrap}
th:first-child,td.text{text-align:left}
thead th{font-weight:600;color:var(--soft)}
thead th{overflow-wrap:normal}
tbody th{font-weight:400;white-space:normal;min-width:5rem;overflow-wrap:break-word}
details{margin:.4rem 0;font-size:.92rem}
summary{cursor:pointer;color:var(--point);padding:.2rem 0}
.bars{list-style:none;margin:.8rem 0;padding:0;max-width:46rem}
.bars li{margin:.55rem 0;display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 .8rem;align-items:end;break-inside:avoid}
.bars .what{overflow-x:auto;overflow-y:hidden;padding:.15rem 0}
.bars .share{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.bars .track{grid-column:1/-1;height:.5rem;border-radius:.25rem;background:var(--grid);overflow:hidden}
.bars .bar{display:block;height:100%;min-width:1px;background:var(--bar);border-radius:.25rem}
.bars .rest .bar{background:var(--axis)}
.bars .unseen .bar{background:var(--unseen)}
.columns{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr));gap:0 2rem}
.key{display:inline-block;width:1.1em;height:.7em;border-radius:2px;margin-right:.35em;vertical-align:baseline}
pre{background:var(--panel);padding:.8rem 1rem;border-radius:6px;overflow-x:auto;white-space:pre-wrap;font-size:.88rem}
.word{display:inline-block;max-width:100%;white-space:pre-wrap}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}
footer{margin-top:3rem;padding-bottom:2.5rem;color:var(--soft);font-size:.88rem}
:focus-visible{outline:2px solid var(--point);outline-offset:2px}
@page{margin:15mm 14mm 17mm;@bottom-right{content:counter(page) " / " counter(pages);font:8pt system-ui,sans-serif;color:#444}}
@media print{:root{color-scheme:light;--paper:#fff;--panel:#f6f7f9;--ink:#000;--soft:#444;--grid:#e6e9ee;--axis:#888;--accent:#a8321a;--point:#1f5f99;--wrong:#b3006b;--predictive:#e4edf6;--credible:#f3c9bb;--bar:#1f5f99;--unseen:#8a6d00;--line:#ccc}
html{font-size:10pt}body{font-size:1rem}p,.bars{max-width:none}main,header,footer{max-width:none;padding:0}header{padding-top:0}nav,details{display:none}h2{margin-top:1.6rem;break-after:avoid}h2+*{break-before:avoid}section>p,section>.warn,caption,thead,h3{break-after:avoid}section>p:last-child{break-after:auto}section>p,footer p{break-inside:avoid}footer{margin-top:1.5rem;padding:0}tr,li,pre{break-inside:avoid}table{break-inside:avoid-page}thead{display:table-header-group}
.law,.scroll,.bars .what{overflow:visible}.law{font-size:1.4rem}#reproduce{break-inside:avoid}footer{break-before:avoid}.figures{display:block;orphans:1;widows:1}.figures figure{display:inline-block;vertical-align:top;width:48%;margin:.4rem 1% .4rem 0}.pair{display:flex;flex-wrap:wrap;gap:.6rem 1.6rem}.pair figure{flex:0 0 48%}.pair .scroll{flex:1 1 40%;margin:0}table{font-size:8.5pt}th,td{padding:.15rem .6rem .15rem 0}thead th,td.text{white-space:normal}.columns{grid-template-columns:1fr 1fr;break-inside:avoid}.columns>:last-child{grid-column:1/-1}.bar,.track,.key{print-color-adjust:exact;-webkit-print-color-adjust:exact}svg.chart,svg.tree{max-width:100%}svg.tree{height:auto}a{color:inherit;text-decoration:none}}
`
