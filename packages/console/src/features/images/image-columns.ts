import { createdColumn, descriptionColumn, nameColumn, sizeColumn } from '../common/columns.tsx'
import type { Column } from '../../ui/Table.tsx'
import type { Image } from './queries.ts'

export const imageColumns = (pathOf: (image: Image) => string): Column<Image>[] => [
  nameColumn<Image>(pathOf),
  descriptionColumn<Image>(),
  sizeColumn<Image>(),
  createdColumn<Image>(),
]
