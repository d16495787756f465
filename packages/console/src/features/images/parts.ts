import { createdColumn, descriptionColumn, nameColumn, sizeColumn } from '#/kit/list/columns.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import type { Column } from '#/ui/data/column.ts'
import type { ComboboxOption } from '#/ui/inputs/combobox.ts'
import { formatBytes } from '#/ui/data/format.ts'
import { protectedName } from '#/features/protection/protected-name.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import type { Image } from './queries.ts'

/** Without a project, those of the silo. */
export const imageColumns = (linkOf: (image: Image) => LinkTarget, project?: string): Column<Image>[] => [
  taggedName('image', protectedName(nameColumn<Image>(linkOf), project), project),
  descriptionColumn<Image>(),
  sizeColumn<Image>(),
  createdColumn<Image>(),
]

/** Whether it can be in a CD drive. One whose bytes were not read may: the server reads them then. */
export const isCd = ({ cd }: Pick<Image, 'cd'>): boolean => cd !== 'none' && cd !== undefined

type Shown = Pick<Image, 'id' | 'name' | 'os' | 'version' | 'size'>

/** Name, then details. `origin` distinguishes silo images from project images where both are listed. */
export const imageOption = (image: Shown, origin?: string): ComboboxOption => ({
  value: image.id,
  label: image.name,
  detail: [image.os, image.version, formatBytes(image.size), origin].filter(Boolean).join(' / '),
})
