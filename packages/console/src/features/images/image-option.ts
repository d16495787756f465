import { GiB } from '@gantry/api/bytes.rules'
import type { ComboboxOption } from '#/ui/combobox.ts'
import { once } from '#/ui/format.ts'
import type { Image } from './queries.ts'

const oneDecimal = once(() => new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }))

export const imageSize = ({ size }: Pick<Image, 'size'>): string => `${oneDecimal().format(size / GiB)} GiB`

type Shown = Pick<Image, 'id' | 'name' | 'os' | 'version' | 'size'>

/** Name, then details. `origin` distinguishes silo images from project images where both are listed. */
export const imageOption = (image: Shown, origin?: string): ComboboxOption => ({
  value: image.id,
  label: image.name,
  detail: [image.os, image.version, imageSize(image), origin].filter(Boolean).join(' / '),
})
