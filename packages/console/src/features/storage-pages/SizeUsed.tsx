import { useDetails } from '#/features/found-list/details.tsx'
import { Size } from '#/ui/data/Figures.tsx'

/** Behind the size of a disk, what of it takes storage; nothing where the fleet does not tell. */
export function SizeUsed({ id }: { id: string }) {
  const details = useDetails('disk', [{ id }])
  const used = details === 'unknown' ? undefined : details?.get(id)?.sizeUsed
  if (used === undefined || used === null) return null
  return (
    <span className="text-sm text-muted">
      <Size bytes={used} /> used
    </span>
  )
}
