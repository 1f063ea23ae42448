import { useRoute } from 'preact-iso';
import { SavedList } from './List';
import { SavedQuery } from './One';

export default function Saved() {
  const { id } = useRoute().params;
  return id ? <SavedQuery key={id} id={id} /> : <SavedList />;
}
