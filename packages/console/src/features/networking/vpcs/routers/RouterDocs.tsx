import { DocsPopover } from '../../../common/DocsPopover.tsx'

export function RouterDocs() {
  return (
    <DocsPopover topic="routers">
      A router is a collection of routes, which say where packets of a VPC go next. The system router serves
      every subnet; a custom router serves those that it was given to, and its routes win.
    </DocsPopover>
  )
}
