import { api, read } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { Dialog } from '../../components/dialog.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { AdContent, adTitle } from '../ad/ad-content.tsx';

/** Details of an ad beside the page: its versions side by side, regions and platform. */
export function AdDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const ad = useLoad(`ad ${id}`, (signal) =>
    read(api.GET('/v1/ads/{id}', { params: { path: { id } }, signal })),
  );
  return (
    <Dialog title={ad.data === undefined ? 'Ad' : adTitle(ad.data)} onClose={onClose} isDrawer>
      <p>
        <a href={`/ads/${encodeURIComponent(id)}`}>Open the page of this ad</a>
      </p>
      <WhenLoaded loaded={ad}>{(data) => <AdContent ad={data} />}</WhenLoaded>
    </Dialog>
  );
}
