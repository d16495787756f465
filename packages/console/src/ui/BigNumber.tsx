import { formatBigNumber } from './format-amounts.ts'
import { Tooltip } from './Tooltip.tsx'

/** Abbreviates a long number; the tooltip has all of it. */
export function BigNumber({ value }: { value: number | bigint }) {
  const { text, full } = formatBigNumber(value)
  if (!full) return text
  return (
    <Tooltip content={full} describes={false}>
      <span>
        <span aria-hidden>{text}</span>
        <span className="sr-only">{full}</span>
      </span>
    </Tooltip>
  )
}
