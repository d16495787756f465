import type { Column } from '#/ui/data/column.ts'
import { afterPaint, lazyPart } from '#/ui/lazy-part.tsx'

/** The button that makes an object a favourite, once its page is shown. Its room is there from the beginning. */
export const Star = lazyPart(
  afterPaint(() => import('./Star.tsx')),
  'Star',
  <span className="inline-block size-7 align-middle coarse:size-11" />,
)

export const starColumn = <Item extends { id: string; name: string }>(
  kind: Parameters<typeof Star>[0]['kind'],
): Column<Item> => ({
  id: 'favourite',
  header: 'Favourite',
  part: 'state',
  width: '7rem',
  cell: ({ id, name }) => <Star kind={kind} id={id} name={name} isInRow />,
})
