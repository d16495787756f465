import { DocsPopover } from '#/features/common/DocsPopover.tsx'

export const SupportBundleDocs = () => (
  <DocsPopover topic="support bundles">
    A support bundle is an archive of what support needs to diagnose this installation: versions,
    configuration, health, logs, and the history of jobs and faults. It holds no secrets, no names of users or
    of their resources, and no contents of disks.
  </DocsPopover>
)
