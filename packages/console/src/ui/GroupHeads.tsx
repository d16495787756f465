/** The heads above heads: how many columns each spans, the row's menu included; no name for columns without one. */
export const GroupHeads = ({ spans }: { spans: readonly (readonly [name: string, span: number])[] }) => (
  <tr data-groups>
    {spans.map(([name, span]) => {
      const Cell = name ? 'th' : 'td'
      return (
        <Cell key={name} colSpan={span}>
          {name}
        </Cell>
      )
    })}
  </tr>
)
