// @chunk apart: a setting below the picture of the fabric.
import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useWhyLacking } from '#/data/fleet.ts'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { ErrorNote } from '#/ui/feedback/Note.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { networkingSettings } from './queries.ts'

/** Whether instances may have larger frames. Former servers have no such setting, and no card. */
export function JumboFramesCard() {
  const { data } = useQuery(networkingSettings)
  const update = useOp(op.systemNetworkingSettingsUpdate)
  const whyNotAllowed = useWhyNotOnFleet()
  const whyLacking = useWhyLacking('jumbo_frames')
  if (!data) return null
  const isOn = data.externalJumboFramesOptInEnabled
  const [verb, state] = isOn ? ['Forbid', 'forbidden'] : ['Allow', 'allowed']
  return (
    <Card
      title="Jumbo frames"
      actions={
        <Button
          pending={update.isPending}
          pendingLabel="Saving"
          disabledReason={whyNotAllowed ?? (isOn ? undefined : whyLacking)}
          onClick={() =>
            void update.run({ body: { externalJumboFramesOptInEnabled: !isOn } }).then(
              () => toast.success(`Jumbo frames ${state}`),
              () => undefined,
            )
          }
        >
          {verb} jumbo frames
        </Button>
      }
    >
      <p>
        {isOn
          ? 'Instances may have frames of 8,500 bytes at their primary network interface.'
          : 'All instances have frames of the usual size, 1,500 bytes.'}
      </p>
      {update.error && <ErrorNote errors={[failureText(update.error)]} />}
    </Card>
  )
}
