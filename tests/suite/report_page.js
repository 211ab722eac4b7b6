// What is wrong with the page of a report, as a list of sentences; evaluated on the page.
(async () => {
  const wrong = [];
  const expect = (holds, words) => { if (!holds) wrong.push(words); };
  document.querySelectorAll("details").forEach((details) => { details.open = true; });

  // Links, and what refers to something by its id.
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  expect(new Set(ids).size === ids.length, `ids are there twice: ${ids.filter((id, at) => ids.indexOf(id) < at)}`);
  const links = [...document.querySelectorAll("[href]")].filter((element) => !["link", "image"].includes(element.localName));
  for (const link of links) {
    const href = link.getAttribute("href");
    expect(href.startsWith("#") && ids.includes(href.slice(1)), `${link.localName} leads to ${href}, which is nowhere`);
  }
  const count = document.querySelectorAll("a").length;
  expect(count >= 3, `there are ${count} links`);

  // Pictures: each can be decoded, and every place that refers to one shows something.
  const images = [...document.querySelectorAll("image, img")];
  expect(images.length > 3, `there are ${images.length} pictures`);
  for (const image of images) {
    const picture = new Image();
    picture.src = image.getAttribute("href") ?? image.getAttribute("src");
    await picture.decode().catch(() => {});
    expect(picture.src.startsWith("data:") && picture.naturalWidth > 0, `the picture ${image.id} is not shown`);
  }
  for (const use of document.querySelectorAll("use")) {
    const box = use.getBoundingClientRect();
    expect(box.width > 50 && box.height > 50, `${use.getAttribute("href")} is shown with ${box.width}x${box.height}`);
  }

  // Texts of apps are texts.
  expect(document.title.startsWith("droidmux: "), `a text changed the title: ${document.title}`);
  expect(document.scripts.length === 0, "there is a script");
  const elements = [...document.querySelectorAll("*")];
  const handlers = elements.filter((element) => element.getAttributeNames().some((name) => name.startsWith("on")));
  expect(handlers.length === 0, `elements with handlers: ${handlers.length}`);
  expect(document.body.innerText.includes("<script>document.title"), "the hostile text is not told");

  // No sideways scrolling, and nothing that sticks out.
  const width = document.documentElement.clientWidth;
  expect(document.documentElement.scrollWidth <= width, `${document.documentElement.scrollWidth} px wide on ${width}`);

  // Contrast of texts with what is behind them, as WCAG has it.
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color.length < 4 || color[3] > 0.99) return color;
    }
    return [255, 255, 255];
  };
  let texts = 0;
  const poor = new Set();
  for (const element of elements.filter((element) => element instanceof HTMLElement)) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const box = element.getBoundingClientRect();
    if (!own || box.width === 0 || ["title", "style"].includes(element.localName)) continue;
    texts += 1;
    const [a, b] = [channels(getComputedStyle(element).color), behind(element)].map(luminance);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.add(`${element.localName}.${element.className}: ${ratio.toFixed(2)}`);
  }
  expect(texts > 20, `only ${texts} texts`);
  expect(poor.size === 0, `hard to read: ${[...poor]}`);
  return wrong;
})()
