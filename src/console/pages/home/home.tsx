import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';

/** The start is the lists. */
export function Home() {
  const { route } = useLocation();
  useEffect(() => route('/lists', true), []);
  return null;
}
