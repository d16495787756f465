/** Group heads above the column heads: the columns each spans, including the row menu; empty for ungrouped columns. */
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
