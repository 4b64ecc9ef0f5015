//! The style sheet of a page: one column on a telephone, pictures side by side on a desk, light
//! or dark as the reader's system is, dark on white in print. No font is loaded.

use crate::report::picture::{Ink, Theme};

/// The whole sheet.
pub(super) fn style_sheet() -> String {
    let mut sheet =
        format!(":root{{color-scheme:light dark;{}}}\n", theme_properties(Theme::Light));
    sheet.push_str(&format!(
        "@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n",
        theme_properties(Theme::Dark)
    ));
    for ink in Ink::NAMED {
        if let Some(name) = ink.style_name() {
            sheet.push_str(&format!(
                ".f-{name}{{fill:var(--{name})}}.s-{name}{{stroke:var(--{name})}}\n"
            ));
        }
    }
    sheet + RULES
}

/// The colours of a theme as properties.
fn theme_properties(theme: Theme) -> String {
    let mut text = format!("--paper:{};", theme.paper_colour());
    for ink in Ink::NAMED {
        if let Some(name) = ink.style_name() {
            text.push_str(&format!("--{name}:{};", ink.colour(theme)));
        }
    }
    text
}

const RULES: &str = "\
*{box-sizing:border-box}
html{font:100%/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',sans-serif;\
background:var(--paper);color:var(--text);-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{max-width:64rem;margin:0 auto;padding:1rem;overflow-wrap:break-word}
h1{font-size:1.75rem;line-height:1.2;margin:.5rem 0}
h2{font-size:1.25rem;line-height:1.3;margin:0 0 .5rem;padding-top:1rem;border-top:2px solid var(--text)}
section{margin:2rem 0}
h2{scroll-margin-top:4rem}
p,ul{margin:.5rem 0;max-width:46rem}
ul{padding-left:1.25rem}
li+li{margin-top:.25rem}
header ul,nav ul{list-style:none;padding:0}
header ul{color:var(--quiet)}
nav{margin:1rem 0}
nav{position:sticky;top:0;z-index:1;background:var(--paper);border-bottom:1px solid var(--rule)}
nav ul{display:flex;flex-wrap:wrap;gap:0 1rem;max-width:none;margin:0}
nav li{margin:0!important}
nav a{display:inline-block;padding:.25rem 0}
a{color:var(--blue)}
a:focus-visible,summary:focus-visible,.scroll:focus-visible,pre:focus-visible\
{outline:3px solid var(--blue);outline-offset:2px;border-radius:2px}
main:focus{outline:none}
.skip{position:absolute;left:-100vw;top:0;padding:.5rem 1rem;background:var(--paper);z-index:1}
.skip:focus{left:0}
.lead{font-size:1.0625rem}
header .facts{list-style:none;padding:0;font-size:1.25rem}
.rows{margin:1rem 0}
.rows div{display:grid;grid-template-columns:minmax(5rem,8rem) 1fr;gap:0 1rem;padding:.375rem 0;border-bottom:1px solid var(--rule)}
.rows dt{color:var(--quiet);grid-row:1/span 4}
.rows dd{margin:0;grid-column:2}
.warnings{list-style:none;padding:0}
.warnings li{border-left:4px solid var(--orange);padding:.25rem .75rem;margin:.5rem 0}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(7rem,1fr));gap:.75rem;margin:1rem 0}
.figures div{border:1px solid var(--rule);border-radius:.375rem;padding:.5rem .75rem}
.figures dt{color:var(--quiet);font-size:.875rem}
.figures dd{margin:0;font-size:1.375rem;font-weight:600;line-height:1.3;font-variant-numeric:tabular-nums}
.fail,.warn,.pass{padding:0 .375rem;border:2px solid;border-radius:.25rem}
.fail{color:#fff;background:#a31515;border-color:#a31515}
.warn{color:#000;background:#ffc233;border-color:#ffc233}
.pass{border-color:var(--green)}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));\
gap:1.5rem 3rem;align-items:start;margin:1rem 0}
figure{margin:0;min-width:0;max-width:30rem}
code{font-family:ui-monospace,monospace;font-size:.9375em}
figcaption{margin-bottom:.75rem;color:var(--quiet);font-size:.875rem}
figcaption strong{display:block;color:var(--text);font-size:1rem}
figure.drawing{max-width:none;margin:1rem 0}
.drawing svg{min-width:70rem;border:1px solid var(--rule)}
@media (min-width:66rem){.drawing .scroll{width:min(100vw - 2rem,90rem);\
margin-left:calc((min(100%,64rem) - min(100vw - 2rem,90rem))/2)}}
svg{display:block;width:100%;height:auto;overflow:visible}
svg text{font-family:inherit}
svg path{stroke-width:1}
.scroll{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;margin:1rem 0;font-size:.9375rem;font-variant-numeric:tabular-nums}
.scroll table{margin:0}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th,td{padding:.3125rem .75rem .3125rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--quiet);font-weight:600;vertical-align:bottom;border-bottom-color:var(--quiet)}
thead td{border-bottom-color:var(--quiet)}
tbody th{font-weight:600}
.k{white-space:nowrap}
th.below{font-weight:400;padding-left:1.25rem}
.n{text-align:right;white-space:nowrap;padding-left:.5rem}
.n.w{white-space:normal}
summary{cursor:pointer;color:var(--quiet);padding:.25rem 0}
pre{overflow-x:auto;padding:.75rem;border:1px solid var(--rule);border-radius:.375rem;font-size:.875rem}
footer{margin:3rem 0 1rem;padding-top:1rem;border-top:1px solid var(--rule);color:var(--quiet);font-size:.875rem}
@media screen and (max-width:40rem){nav ul{flex-wrap:nowrap;overflow-x:auto;white-space:nowrap}table{font-size:.8125rem}th,td{padding-right:.375rem}.n{padding-left:.25rem}\
.scroll[tabindex] .t{position:sticky;right:0;background:var(--paper);padding-right:.125rem;box-shadow:-.5rem 0 .375rem -.375rem var(--rule)}.scroll[tabindex] td:not(.w){white-space:nowrap}.scroll[tabindex] .w{min-width:13rem}.scroll[tabindex] th.w{min-width:8rem}}
@media print{
@page{margin:15mm}
:root{color-scheme:light}
html{font-size:10pt}
body{max-width:none;padding:0}
nav,.skip,summary{display:none}
details::details-content{content-visibility:visible;block-size:auto}
.scroll{overflow:visible}
.figures dd{font-size:1.125rem;white-space:nowrap}
table{font-size:8pt}
th,td{padding-right:.375rem}
.drawing svg{min-width:0}
.pictures{grid-template-columns:1fr 1fr;gap:1rem 2rem}
section{margin:1.25rem 0}
h2,figcaption,.lead,thead{break-after:avoid}
figure,tr,.figures,.warnings li{break-inside:avoid}
p,li{orphans:3;widows:3}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
";
