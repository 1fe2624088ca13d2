import { OutsideLink } from '../outside-link.tsx';

/** Link to the page of an ad in the library of its platform. */
export function AdLink({ url, platform }: { readonly url: string; readonly platform: string | undefined }) {
  return (
    <OutsideLink href={url}>
      {platform === 'google' ? 'View in Google Ads Transparency' : 'View in the ad library'}
    </OutsideLink>
  );
}
