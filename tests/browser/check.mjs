// Opens every page of `planner … --format html` in a headless Chromium, at telephone and desk
// width, in light, dark and print, and fails where a page complains, loads anything, is wider
// than its window, or shows an empty picture.
//
//   node tests/browser/check.mjs PLANNER CHROMIUM [FOLDER FOR SCREENSHOTS [AXE]]
//
// It talks to the browser over a pipe and needs nothing but Node; it tests no other browser. AXE is
// the file axe.min.js of the npm package axe-core: with it every view is held against its rules too.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [planner, chromium, shots, axeFile] = process.argv.slice(2);
if (!planner || !chromium) {
  console.error("usage: node check.mjs PLANNER CHROMIUM [FOLDER FOR SCREENSHOTS [AXE]]");
  process.exit(2);
}

const axe = axeFile ? readFileSync(axeFile, "utf8") : "";

const SPECS = [
  "starter",
  "gpt3-175b-a100-1536",
  "gpt-1t-h100-32768",
  "llama3-405b-h100-16384",
  "deepseek-v3-h800-2048",
];

/** What makes a gate speak: twice the machines, and a price of one's own. */
const LARGER = ["--set", "cluster.gpus=2048", "--set", 'prices.qm9700="$30k"', "--quiet"];

/** Every command that has a page, on the specs that it is worth opening for. */
const PAGES = [
  ...SPECS.map((spec) => ["design", spec]),
  ...SPECS.map((spec) => ["compare", spec]),
  ["design", "two-products"],
  ["design", "two-stages"],
  ["compare", "two-products"],
  ["compare", "two-stages"],
  ["compare", "starter", "gpt3-175b-a100-1536", "deepseek-v3-h800-2048"],
  ["step", "gpt3-175b-a100-1536"],
  ["traffic", "deepseek-v3-h800-2048"],
  ["search", "starter"],
  ["explain", "starter"],
  ["design", "llama3-405b-h100-16384", "--pareto", "--sensitivity"],
  ["compare", "gpt3-175b-a100-1536", "--with", "swap", "--with", "demo"],
  ["sweep", "starter", "--vary", "cluster.gpus=512,1024,2048"],
  ["sweep", "starter", "--vary", "cluster.gpus=512,1024,2048", "--vary", "cluster.max_planes=1,2"],
  ["check", "starter", "--against", "base.json", "--warn-on", "capex>+2%", ...LARGER],
  ["diff", "base.json", "starter"],
  ["topology", "gpt3-175b-a100-1536"],
  ["fabric", "rail-only", "--endpoints", "16384", "--radix", "128", "--rails", "8"],
  ["validate"],
  ["presets", "list"],
  ["presets", "show", "dgx-h100"],
];

/** Commands whose pages have pictures, with the least number of them. */
const PICTURES = { design: 7, compare: 4, step: 2, sweep: 1, traffic: 2, search: 1, validate: 1 };

const VIEWS = [
  { name: "360-light", width: 360, height: 740, scheme: "light", media: "screen" },
  { name: "360-dark", width: 360, height: 740, scheme: "dark", media: "screen" },
  { name: "1440-light", width: 1440, height: 900, scheme: "light", media: "screen" },
  { name: "1440-dark", width: 1440, height: 900, scheme: "dark", media: "screen" },
  // The printable width of A4 at 96 dots an inch and 15 mm of margin.
  { name: "print", width: 680, height: 960, scheme: "dark", media: "print" },
];

/** A browser that is driven over file descriptors 3 and 4. */
class Browser {
  constructor(path, profile) {
    const flags = [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-dev-shm-usage",
      "--hide-scrollbars",
      `--user-data-dir=${profile}`,
      "--remote-debugging-pipe",
      "about:blank",
    ];
    this.child = spawn(path, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.last = 0;
    this.waiting = new Map();
    this.events = [];
    this.gone = new Promise((resolve) => this.child.on("exit", resolve));
    this.child.on("error", (error) => this.#fail(error));
    this.gone.then(() => this.#fail(new Error("the browser ended")));
    let buffer = "";
    this.child.stdio[4].on("data", (data) => {
      buffer += data;
      const messages = buffer.split("\0");
      buffer = messages.pop();
      messages.map((text) => JSON.parse(text)).forEach((message) => this.#take(message));
    });
  }

  #take(message) {
    const waiting = this.waiting.get(message.id);
    if (!waiting) return this.events.push(message);
    this.waiting.delete(message.id);
    if (message.error) waiting.reject(new Error(message.error.message));
    else waiting.resolve(message.result);
  }

  #fail(error) {
    this.waiting.forEach(({ reject }) => reject(error));
    this.waiting.clear();
  }

  send(method, params = {}, sessionId = this.session) {
    const id = ++this.last;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return answer;
  }

  async open() {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const params = { targetId, flatten: true };
    this.session = (await this.send("Target.attachToTarget", params)).sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await this.send(`${domain}.enable`);
  }

  /** What a script of ours finds on the page. */
  async ask(script) {
    const params = { expression: `(${script})()`, returnByValue: true };
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", params);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? "no answer");
    return result.value;
  }

  async until(method) {
    const deadline = Date.now() + 60_000;
    while (!this.events.some((event) => event.method === method)) {
      if (Date.now() > deadline) throw new Error(`no ${method} within a minute`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async close() {
    this.child.kill();
    await this.gone;
  }
}

/** Runs on the page: what is wrong with it, and how many pictures it has. */
function look() {
  const wrong = [];
  const root = document.documentElement;
  if (root.scrollWidth > window.innerWidth) {
    const wide = [...document.body.querySelectorAll("*")].find(
      (of) => !of.closest(".scroll") && of.getBoundingClientRect().right > window.innerWidth + 1,
    );
    wrong.push(`wider than the window: ${root.scrollWidth}, ${wide?.outerHTML.slice(0, 120)}`);
  }
  const pictures = [...document.querySelectorAll("svg")];
  pictures.forEach((svg, place) => {
    const box = svg.getBoundingClientRect();
    const drawn = [...svg.querySelectorAll("rect,path,circle,text")].filter((mark) => {
      const { width, height } = mark.getBoundingClientRect();
      return width > 0 || height > 0;
    });
    if (box.width < 200 || box.height < 40 || drawn.length < 3) {
      wrong.push(`picture ${place + 1} is empty: ${box.width} x ${box.height}, ${drawn.length}`);
    }
    const title = svg.querySelector("title")?.textContent;
    const words = svg.querySelector("desc")?.textContent;
    const elsewhere = document.getElementById(svg.getAttribute("aria-labelledby"))?.textContent;
    if (!(title && words) && !elsewhere) wrong.push(`picture ${place + 1} has no words`);
    for (const text of svg.querySelectorAll("text")) {
      const of = text.getBoundingClientRect();
      if (of.left < box.left - 1 || of.right > box.right + 1) {
        wrong.push(`picture ${place + 1}: \`${text.textContent}\` leaves it`);
      }
    }
    const lines = [...svg.querySelectorAll("text")].map((of) => [of, of.getBoundingClientRect()]);
    for (const [a, one] of lines) {
      for (const [b, two] of lines) {
        const over = Math.min(one.right, two.right) - Math.max(one.left, two.left);
        const beside = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
        // Boxes of letters are higher than the letters: lines may touch.
        if (a !== b && beside > one.height / 2 && over > 1) {
          wrong.push(`picture ${place + 1}: \`${a.textContent}\` over \`${b.textContent}\``);
        }
      }
    }
  });
  if (document.querySelectorAll("h1").length !== 1) wrong.push("not one first heading");
  const ids = [...document.querySelectorAll("[id]")].map((of) => of.id);
  if (new Set(ids).size !== ids.length) wrong.push("an id twice");
  for (const link of document.querySelectorAll("a[href^='#']")) {
    if (!document.getElementById(link.hash.slice(1))) wrong.push(`${link.hash} leads nowhere`);
  }
  return { wrong, pictures: pictures.length, height: root.scrollHeight };
}

/** What a page asked for or complained of since the events were cleared. */
function complaints(events, url) {
  return events.flatMap(({ method, params }) => {
    if (method === "Network.requestWillBeSent") {
      const asked = params.request.url;
      return asked === url || asked.startsWith("data:") ? [] : [`asks for ${asked}`];
    }
    if (method === "Log.entryAdded") return [`says ${params.entry.text}`];
    if (method === "Runtime.consoleAPICalled") return [`says ${params.type}`];
    if (method === "Runtime.exceptionThrown") return ["throws"];
    return [];
  });
}

/** What axe-core has against the page. */
async function violations(browser) {
  await browser.send("Runtime.evaluate", { expression: axe });
  const told = (of) => `axe ${of.id} (${of.impact}): ${of.nodes[0]?.target.join(" ")}`;
  const expression = `axe.run().then((of) => of.violations.map(${told}))`;
  const asked = { expression, awaitPromise: true, returnByValue: true };
  return (await browser.send("Runtime.evaluate", asked)).result.value;
}

async function check(browser, page, file, view) {
  const url = pathToFileURL(file).href;
  const { width, height } = view;
  const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
  await browser.send("Emulation.setDeviceMetricsOverride", metrics);
  const features = [{ name: "prefers-color-scheme", value: view.scheme }];
  await browser.send("Emulation.setEmulatedMedia", { media: view.media, features });
  browser.events.length = 0;
  await browser.send("Page.navigate", { url });
  await browser.until("Page.loadEventFired");
  const found = await browser.ask(look.toString());
  found.wrong.push(...complaints(browser.events, url));
  if (axe) found.wrong.push(...(await violations(browser)));
  const least = page.includes("--with") ? 3 : (PICTURES[page[0]] ?? 0);
  if (found.pictures < least) found.wrong.push(`${found.pictures} pictures, at least ${least}`);
  if (shots) {
    const clip = { x: 0, y: 0, width, height: found.height, scale: 1 };
    const params = { format: "png", clip, captureBeyondViewport: true };
    const { data } = await browser.send("Page.captureScreenshot", params);
    writeFileSync(join(shots, `${name(page)}-${view.name}.png`), Buffer.from(data, "base64"));
  }
  return found;
}

const name = (page) => page.slice(0, 7).join("-").replaceAll(/[^a-z0-9-]+/g, "").slice(0, 60);

const program = resolve(planner);
const folder = mkdtempSync(join(tmpdir(), "planner-pages-"));
if (shots) mkdirSync(shots, { recursive: true });
const browser = new Browser(chromium, join(folder, "profile"));
let wrong = 0;
let pictures = 0;
try {
  await browser.open();
  const kept = ["design", "starter", "--format", "json", "-o", "base.json"];
  execFileSync(program, kept, { cwd: folder, stdio: "inherit" });
  for (const page of PAGES) {
    const file = join(folder, `${name(page)}.html`);
    const arguments_ = [...page, "--format", "html", "-o", file];
    execFileSync(program, arguments_, { cwd: folder, stdio: "inherit" });
    for (const view of VIEWS) {
      const found = await check(browser, page, file, view);
      found.wrong.forEach((what) => console.error(`${page.join(" ")}, ${view.name}: ${what}`));
      wrong += found.wrong.length;
      pictures += found.pictures;
    }
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
const views = PAGES.length * VIEWS.length;
console.log(`${PAGES.length} pages, ${views} views, ${pictures} pictures: ${wrong} problems`);
process.exit(wrong === 0 ? 0 : 1);
