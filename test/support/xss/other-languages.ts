const styles = [
  '</style><script>alert(1)</script>',
  '*{background:url(https://evil.example/c)}',
  'x{}@import "https://evil.example/x.css";',
  'color:expression(alert(1))',
  '-moz-binding:url(https://evil.example/x.xml#a)',
  'background:url("javascript:alert(1)")',
  '<div style="background:url(https://evil.example/d)">x</div>',
  '<p style=position:fixed;inset:0;background:red>all of it</p>',
];

const scripts = [
  '</script><script>alert(1)</script>',
  "';alert(1)//",
  '";alert(1)//',
  '`;alert(1)//',
  '\\";alert(1)//',
  '${alert(1)}',
  '\u2028alert(1)\u2029',
  '<!--<script>alert(1)',
  'constructor',
  '__proto__',
  'toString',
];

const templates = [
  '{{constructor.constructor("alert(1)")()}}',
  '{{7*7}}',
  '{{$on.constructor("alert(1)")()}}',
  '[[${alert(1)}]]',
  '<%= alert(1) %>',
  '#{alert(1)}',
  '{% raw %}<script>alert(1)</script>{% endraw %}',
  '{{{<script>alert(1)</script>}}}',
  '@{alert(1)}',
  '$&$1$`',
  '%s%n%x',
  '# of <img src=x onerror=alert(1)>',
];

const markdown = [
  '[x](javascript:alert(1))',
  '[x](https://evil.example/)',
  '![x](https://evil.example/pixel.gif)',
  '![x][y]',
  '[y]: https://evil.example/',
  '<https://evil.example/>',
  '<javascript:alert(1)>',
  'https://evil.example/',
  'www.evil.example',
  'mailto:a@evil.example',
  'someone@evil.example',
  '@everybody',
  '#1',
  '| a | [b](https://evil.example/) |',
  '\\| <b>x</b> \\|',
  '```html',
  '`<img src=x onerror=alert(1)>`',
  '\\<img src=x onerror=alert(1)>',
  '**bold** _it_ ~~gone~~',
  '# A heading',
  '- [ ] a task',
  '> quoted',
  '---',
  '[^1]: a note',
  '<details><summary>x</summary>y</details>',
  ':+1: $x$ $$y$$',
  '[x]( <https://evil.example/> "t" )',
  '[//]: # (nobody sees this)',
];

const headers = [
  'x\r\nSet-Cookie: a=b',
  'x\r\n\r\n<script>alert(1)</script>',
  '=HYPERLINK("https://evil.example/")',
  '=1+1',
];

/** Markup of other languages than HTML: CSS, JavaScript, templates, Markdown. */
export const otherLanguages: readonly string[] = [
  ...styles,
  ...scripts,
  ...templates,
  ...markdown,
  ...headers,
];
