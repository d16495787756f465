import { NewLink } from '#/kit/list/ListPage.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { RowMenu } from '#/ui/overlays/RowMenu.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { Truncate } from '#/ui/data/Truncate.tsx'
import type { Release, UpdateStatus } from './queries.ts'
import { useReleaseActions } from './use-release-actions.tsx'

/** Uploaded releases, newest version first. */
export function Releases({ releases, status }: { releases: readonly Release[]; status: UpdateStatus }) {
  const actions = useReleaseActions(status)
  return (
    <Card
      title="Releases"
      flush
      actions={
        <NewLink link={{ to: '/system/update-upload' }} kind="default" disabled={useWhyNotOnFleet()}>
          Upload release
        </NewLink>
      }
    >
      {releases.length === 0 ? (
        <CardEmpty title="No releases">Upload a release to update the rack to it</CardEmpty>
      ) : (
        <ul className="divide-y divide-faint-line border-t border-faint-line">
          {releases.map((release) => (
            <li key={release.systemVersion} className="flex items-center gap-3 px-3.5 py-2">
              <div className="min-w-0 grow">
                <div className="flex flex-wrap items-center gap-2">
                  <span className="font-medium text-strong">{release.systemVersion}</span>
                  {release.systemVersion === status.targetRelease?.version && <Tag>Target</Tag>}
                </div>
                <div className="flex flex-wrap gap-x-3 text-sm text-muted">
                  <DateTime value={release.timeCreated} />
                  <Truncate text={release.fileName} max={40} at="middle" />
                </div>
              </div>
              <RowMenu
                label={`${release.systemVersion} actions`}
                entries={() => actionMenu(actions(release))}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
