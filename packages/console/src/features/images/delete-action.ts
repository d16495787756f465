import { confirmDelete, goneBytes } from '#/kit/feedback/confirm.tsx'
import type { RowAction } from '#/kit/list/row-menu.tsx'
import type { Image } from './queries.ts'

/** Asks before it deletes an image, whose disks stay. */
export const deleteImageAction = (
  { name, size }: Image,
  disabled: string | undefined,
  run: () => Promise<unknown>,
): RowAction => ({
  label: 'Delete',
  disabled,
  onSelect: () =>
    confirmDelete({
      kind: 'image',
      name,
      gone: `${goneBytes(size)} Disks created from it are not affected.`,
      run,
    }),
})
