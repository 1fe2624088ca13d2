const script = '<script>alert(1)</script>';
const image = '<img src=x onerror=alert(1)>';

/** Characters that a component on the way drops or folds, placed so that they hide a tag. */
const hidden = [
  '\u200b',
  '\u200d',
  '\u00ad',
  '\u2060',
  '\ufeff',
  '\u034f',
  '\u180e',
  '\u0001',
  '\u001b',
  '\u0085',
];

const steering = ['\u202e', '\u202d', '\u2066', '\u2067', '\u2069', '\u200f', '\u061c'];

/** Letters that look like those of a tag, or are converted to them. */
const lookalikes = [
  '＜script＞alert(1)＜/script＞',
  '﹤script﹥alert(1)﹤/script﹥',
  '‹script›alert(1)‹/script›',
  '<ſcript>alert(1)</ſcript>',
  '<ımg src=x onerror=alert(1)>',
  '\\u003cscript\\u003ealert(1)\\u003c/script\\u003e',
  '\\x3cscript\\x3ealert(1)\\x3c/script\\x3e',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '¼script¾alert(1)¼/script¾',
  '\u{e003c}\u{e0073}\u{e003e}<b>tags nobody sees</b>',
  '\ufff9<img src=x onerror=alert(1)>\ufffb',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}<b>a family</b>',
  'a\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030a\u030b<i>x</i>',
  '\uffff<script>alert(1)</script>\ufffe',
];

export const strangeCharacters: readonly string[] = [
  ...hidden.flatMap((character) => [
    script.replace('scr', `scr${character}`),
    image.replace('<', `<${character}`),
    image.replace('onerror', `${character}onerror`),
  ]),
  ...steering.flatMap((character) => [`${character}${image}`, `"${character} onmouseover=alert(1) x="`]),
  ...lookalikes,
];
