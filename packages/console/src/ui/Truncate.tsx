import { truncate } from './format.ts'
import { Tooltip } from './Tooltip.tsx'

type Props = { text: string; max: number; at?: 'end' | 'middle' }

/** Long text, cut; the whole of it is in the tooltip and is what screen readers read. */
export function Truncate({ text, max, at = 'end' }: Props) {
  if (text.length <= max) return <span>{text}</span>
  return (
    <Tooltip content={text} describes={false}>
      <span>
        <span aria-hidden>{truncate(text, max, at)}</span>
        <span className="sr-only">{text}</span>
      </span>
    </Tooltip>
  )
}

/** The dash of an empty cell. */
export function EmptyCell() {
  return <span className="text-faint">—</span>
}
