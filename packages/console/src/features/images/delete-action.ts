import type { Send } from '#/data/client.ts'
import { confirmRecycling, goneBytes } from '#/kit/feedback/confirm.tsx'
import type { RowAction } from '#/kit/list/row-menu.tsx'
import type { Image } from './queries.ts'

/** Asks before it deletes an image, whose disks stay. */
export const deleteImageAction = (
  { name, size }: Image,
  disabled: string | undefined,
  run: (isForGood: boolean, send?: Send) => Promise<unknown>,
): RowAction => ({
  label: 'Delete',
  disabled,
  onSelect: () =>
    confirmRecycling({
      kind: 'image',
      name,
      gone: goneBytes(size),
      besides: 'Disks created from it are not affected.',
      run,
    }),
})
