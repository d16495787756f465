import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { ReadOnlyText } from '#/kit/page/ReadOnlyText.tsx'
import { TimeItems, WideIdItem } from '#/kit/page/plate-items.tsx'
import { ViewPanel } from '#/kit/page/ViewPanel.tsx'
import { type SshKey, sshKeyView } from '#/features/ssh-keys/queries.ts'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { DataPlate } from '#/ui/data/DataPlate.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { TextArea } from '#/ui/inputs/TextInput.tsx'

export const Route = createFileRoute('/_console/settings/_ssh-keys/ssh-keys/$sshKey/edit')({
  loader: ({ context, params }) => context.prefetch(sshKeyView(params.sshKey)),
  staticData: { title: 'View SSH key' },
  component: SshKeyView,
})

function SshKeyView() {
  const { data } = useSuspenseQuery(sshKeyView(Route.useParams().sshKey))
  return <SshKeyPanel sshKey={data} closeTo={{ to: '/settings/ssh-keys' }} />
}

/** A read-only key with a copy button: keys are immutable. */
function SshKeyPanel({ sshKey, closeTo }: { sshKey: SshKey; closeTo: LinkTarget }) {
  const { id, name, description, publicKey } = sshKey
  return (
    <ViewPanel title="View SSH key" context={name} closeTo={closeTo}>
      <DataPlate narrow>
        <WideIdItem id={id} />
        <TimeItems of={sshKey} changed="Updated" />
      </DataPlate>
      <ReadOnlyText label="Name" value={name} />
      <ReadOnlyText label="Description" value={description} isLong />
      <div className="relative">
        <Field label="Public key">
          <TextArea value={publicKey} rows={8} mono disabled />
        </Field>
        <span className="absolute top-0 right-0">
          <CopyButton text={publicKey} />
        </span>
      </div>
    </ViewPanel>
  )
}
