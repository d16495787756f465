import { useStore } from '#/store.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { actedObject } from './found-object.ts'

const FoundActions = lazyPart(() => import('./FoundActions.tsx'), 'FoundActions')

/** The menu of the object that the palette found, over any page. */
export function FoundOverlay() {
  const acted = useStore(actedObject)
  return acted && <FoundActions key={acted.number} object={acted.object} />
}
