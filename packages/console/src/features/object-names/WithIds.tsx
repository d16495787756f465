import { Tooltip } from '#/ui/overlays/Tooltip.tsx'

/** Words that show objects by name; the tooltip has the fields with their ids. */
export function WithIds({ ids, children }: { ids: readonly string[]; children: string }) {
  if (ids.length === 0) return <span>{children}</span>
  return (
    <Tooltip
      content={ids.map((each) => (
        <span key={each} className="block wrap-anywhere">
          {each}
        </span>
      ))}
      describes={false}
    >
      <span>{children}</span>
    </Tooltip>
  )
}
