import { DocsPopover } from '#/features/common/DocsPopover.tsx'

export const AlertDocs = () => (
  <DocsPopover topic="alerts">
    An alert tells other systems that something happened, such as the failure of an instance. Each receiver
    gets the alerts that it subscribes to as signed HTTP requests. A request that fails is sent again twice:
    after one minute, and after five more.
  </DocsPopover>
)
