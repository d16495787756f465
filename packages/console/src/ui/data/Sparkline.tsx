interface Props {
  /** Null is a gap. */
  values: readonly (number | null)[]
  /** The value at the upper edge. */
  top: number
}

const width = 88
const height = 20
const inset = 1.5

/** A small line without axes. The caller describes it in text. */
export function Sparkline({ values, top }: Props) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      className="shrink-0 overflow-visible"
    >
      <line x1="0" x2={width} y1={height} y2={height} stroke="var(--chart-grid)" />
      <path
        d={sparkPath(values, top)}
        fill="none"
        stroke="var(--chart-1)"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}

/** Lines between neighbours; a value between two gaps is a dot. */
export function sparkPath(values: readonly (number | null)[], top: number): string {
  const step = values.length > 1 ? width / (values.length - 1) : 0
  return values
    .flatMap((value, index) => {
      if (value === null) return []
      const share = Math.min(1, Math.max(0, value / top))
      const at = `${rounded(index * step)} ${rounded(height - inset - share * (height - 2 * inset))}`
      const isFirst = index === 0 || values[index - 1] === null
      const isAlone = isFirst && (values[index + 1] ?? null) === null
      return isFirst ? `M${at}${isAlone ? 'h0' : ''}` : `L${at}`
    })
    .join('')
}

const rounded = (value: number): number => Math.round(value * 10) / 10
