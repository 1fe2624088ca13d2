/** A link to elsewhere, whose address is foreign text: only `http` and `https` lead anywhere, the rest is shown as text. */
export function OutsideLink({ href, children }: { readonly href: string; readonly children?: string }) {
  const url = URL.canParse(href) ? new URL(href) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return <span>{children ?? href}</span>;
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {children ?? href}
      <span class="hidden"> (opens elsewhere)</span>
    </a>
  );
}
