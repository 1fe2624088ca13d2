import { isDrawn } from '../../../reporter/documents/model/picture.ts';
import type { Body } from '../../api/client.ts';
import { Picture } from '../../components/ads/pictures.tsx';

type Version = Body<'AdPage'>['versions'][number];
type Rendering = Version['renderings'][number];

/** Pictures of a version: those of other hosts as their sizes until the user turns them on. Never uses the ad's own markup. */
export function Renderings({
  version: { renderings, headline },
  withPictures,
}: {
  readonly version: Version;
  readonly withPictures: boolean;
}) {
  if (renderings.length === 0) return <>–</>;
  return (
    <ul class="renderings">
      {renderings.map((rendering, i) => (
        <li key={i}>
          {rendering.picture !== null && (withPictures || isDrawn({ href: rendering.picture })) ? (
            <Picture
              href={rendering.picture}
              about={headline ?? 'Picture of the ad'}
              width={rendering.width}
              height={rendering.height}
            />
          ) : (
            <span class="quiet">{describeRendering(rendering)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function describeRendering({ picture, width, height }: Rendering): string {
  const size = width === null || height === null ? '' : `, ${width} × ${height}`;
  return picture === null ? `No picture available${size}` : `Picture${size}`;
}
