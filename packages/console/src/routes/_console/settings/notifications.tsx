import * as op from '@gantry/api/client/operations.gen'
import { notificationKindNames, notificationKinds } from '@gantry/api/history/notification.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { opQuery } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { browserNotifications, chooseBrowserNotifications } from '#/kit/page/browser-notifications.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { useStore } from '#/store.ts'
import { Card } from '#/ui/data/Card.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'

const choices = opQuery(op.notificationChoicesView, {})

export const Route = createFileRoute('/_console/settings/notifications')({
  loader: ({ context }) => context.prefetch(choices),
  staticData: { crumb: { label: 'Notifications', to: '/settings/notifications' } },
  component: NotificationSettings,
})

function NotificationSettings() {
  return (
    <>
      <PageHead
        title="Notifications"
        docs={
          <DocsPopover topic="notifications" page="history#notifications">
            Notifications are in the column of tasks on every page, in each browser that you use, until you
            dismiss them. They are kept for 30 days.
          </DocsPopover>
        }
      />
      <div className="max-w-form space-y-4">
        <Kinds />
        <InBrowser />
      </div>
    </>
  )
}

/** Each choice is saved at once. */
function Kinds() {
  const { data } = useSuspenseQuery(choices)
  const update = useOp(op.notificationChoicesUpdate, { seeds: () => choices })
  const [muted, setMuted] = useState<ReadonlySet<string>>(() => new Set(data.muted))
  const choose = async (kind: (typeof notificationKindNames)[number], isWanted: boolean) => {
    const next = new Set(muted)
    if (isWanted) next.delete(kind)
    else next.add(kind)
    setMuted(next)
    const body = { muted: notificationKindNames.filter((one) => next.has(one)) }
    await update.run({ body }).catch(() => setMuted(muted))
  }
  return (
    <Card title="Notify me when" description="Applies to all your browsers.">
      <ul className="space-y-1">
        {notificationKindNames.map((kind) => (
          <li key={kind}>
            <Checkbox
              checked={!muted.has(kind)}
              disabled={update.isPending}
              onChange={({ currentTarget }) => void choose(kind, currentTarget.checked)}
            >
              <span>
                {notificationKinds[kind].label}
                <span className="block text-sm text-muted">{notificationKinds[kind].hint}</span>
              </span>
            </Checkbox>
          </li>
        ))}
      </ul>
      {update.error && (
        <p role="alert" className="mt-2 text-sm text-fail-text">
          {failureText(update.error)}
        </p>
      )}
    </Card>
  )
}

const reasons = {
  denied: 'This browser does not allow it. Allow notifications of this site in its settings.',
  unsupported: 'This browser does not support it.',
} as const

function InBrowser() {
  const permission = useStore(browserNotifications)
  const reason = permission === 'denied' || permission === 'unsupported' ? reasons[permission] : undefined
  return (
    <Card title="This browser" description="While no tab of the console is in front.">
      <Checkbox
        checked={permission === 'on'}
        disabled={reason !== undefined}
        onChange={({ currentTarget }) => void chooseBrowserNotifications(currentTarget.checked)}
      >
        Show notifications of the browser
      </Checkbox>
      {reason && <p className="text-sm text-muted">{reason}</p>}
    </Card>
  )
}
