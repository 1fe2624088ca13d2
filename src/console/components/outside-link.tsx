/** Link to another site. Its URL is untrusted: only `http` and `https` become links, the rest is text. */
export function OutsideLink({ href, children }: { readonly href: string; readonly children?: string }) {
  const url = URL.canParse(href) ? new URL(href) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return <span>{children ?? href}</span>;
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {children ?? href}
      <span class="hidden"> (opens in a new tab)</span>
    </a>
  );
}
