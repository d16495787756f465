import { createdColumn, descriptionColumn, nameColumn, sizeColumn } from '#/features/common/columns.tsx'
import type { LinkTarget } from '#/features/common/link-target.ts'
import type { Column } from '#/ui/column.ts'
import type { Image } from './queries.ts'

export const imageColumns = (linkOf: (image: Image) => LinkTarget): Column<Image>[] => [
  nameColumn<Image>(linkOf),
  descriptionColumn<Image>(),
  sizeColumn<Image>(),
  createdColumn<Image>(),
]

/** What deleting an image leaves unchanged. */
export const imageDeletionNote = 'Disks created from it are not affected.'
