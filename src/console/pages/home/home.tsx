import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';

/** Redirects to the batches. */
export function Home() {
  const { route } = useLocation();
  useEffect(() => route('/batches', true), []);
  return null;
}
