import { Tabs } from '../../components/tabs.tsx';

/** Tabs of a batch. */
export function BatchTabs({ id }: { readonly id: string }) {
  return (
    <Tabs
      label="Batch"
      tabs={[
        { path: `/batches/${id}`, name: 'Progress' },
        { path: `/batches/${id}/results`, name: 'Results' },
        { path: `/batches/${id}/unidentified`, name: 'Not identified' },
      ]}
    />
  );
}
