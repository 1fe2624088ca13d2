const svg = [
  '<svg><script>alert(1)</script></svg>',
  '<svg><script href="data:text/javascript,alert(1)"/></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><set attributeName=onmouseover to=alert(1)>',
  '<svg><a xlink:href="javascript:alert(1)"><text y=20>x</text></a></svg>',
  '<svg><a><animate attributeName=href values="javascript:alert(1)"/><text y=20>x</text></a></svg>',
  '<svg><use href="https://evil.example/x.svg#a"/></svg>',
  '<svg><image href="https://evil.example/x.png"/></svg>',
  '<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>',
  '<svg><style>@import "https://evil.example/x.css"</style></svg>',
  '<svg><desc><img src=x onerror=alert(1)></desc></svg>',
  '<svg><title><style><img src=x onerror=alert(1)></style></title></svg>',
  '</desc></svg><img src=x onerror=alert(1)>',
  '</title></svg><script>alert(1)</script>',
  '</text><script>alert(1)</script>',
  '</text></g></svg><svg onload=alert(1)>',
  '<path d="M0,0" onclick=alert(1)>',
];

const math = [
  '<math><mtext></mtext><script>alert(1)</script></math>',
  '<math href="javascript:alert(1)">x</math>',
  '<math><maction actiontype=statusline xlink:href="javascript:alert(1)">x</maction></math>',
  '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
];

/** Texts that are harmless to one parser and not to the next (mutation XSS). */
const mutating = [
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<svg></p><style><a id="</style><img src=x onerror=alert(1)>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=alert(1)>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;">',
  '<svg><style>&lt;img src=x onerror=alert(1)&gt;</style></svg>',
  '<listing>&lt;img src=x onerror=alert(1)&gt;</listing>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
  '<template><img src=x onerror=alert(1)></template>',
  '<template shadowrootmode=open><img src=x onerror=alert(1)></template>',
  '<select><style></select><img src=x onerror=alert(1)></style>',
  '<select><option></select><img src=x onerror=alert(1)>',
  '<table><td><form><input name=attributes><img src=x onerror=alert(1)>',
  '<a href="x`<`" title="` onerror=alert(1)>">x</a>',
  '<p id="&lt;/p&gt;&lt;img src=x onerror=alert(1)&gt;">',
  '<iframe><textarea></iframe><img src=x onerror=alert(1)>',
  '<b><p><b></p></b><img src=x onerror=alert(1)>',
];

/** Names that could clobber properties for a script of the page. */
const clobbering = [
  '<form name=forms><input name=elements></form>',
  '<img name=getElementById>',
  '<a id=document></a><a id=document name=querySelectorAll href="javascript:alert(1)"></a>',
  '<output id=changes-table-shown><img src=x onerror=alert(1)></output>',
  '<form data-filters=changes-table data-message="<img src=x onerror=alert(1)>"></form>',
];

/** Markup of the other languages that a page may contain. */
export const foreignContent: readonly string[] = [...svg, ...math, ...mutating, ...clobbering];
