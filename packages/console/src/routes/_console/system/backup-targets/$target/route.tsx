import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { Contents } from '#/features/backup-targets/Contents.tsx'
import {
  BackupTargetDocs,
  placeText,
  useTargetActions,
  useTargetTest,
} from '#/features/backup-targets/parts.tsx'
import { type Target, targetView } from '#/features/backup-targets/queries.ts'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { Button } from '#/ui/Button.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import { Tag } from '#/ui/data/Tag.tsx'

export const Route = createFileRoute('/_console/system/backup-targets/$target')({
  loader: ({ context, params }) => context.prefetch(targetView(params.target)),
  staticData: {
    crumb: [
      { label: 'Backup targets', to: '/system/backup-targets' },
      { param: 'target', to: '/system/backup-targets/$target' },
    ],
  },
  component: TargetPage,
})

function TargetPage() {
  const { target: name } = Route.useParams()
  const { data: target, onDelete } = useViewed(targetView(name), { to: '/system/backup-targets' })
  const actions = useTargetActions(onDelete)
  const test = useTargetTest()
  const whyNotAllowed = useWhyNotOnFleet()
  const [isTesting, setTesting] = useState(false)
  return (
    <>
      <ResourcePage
        title={target.name}
        docs={<BackupTargetDocs />}
        kind="Backup target"
        state={target.isDefault && <Tag>Default</Tag>}
        actions={
          <Button
            disabledReason={whyNotAllowed}
            pending={isTesting}
            pendingLabel="Testing"
            onClick={() => {
              setTesting(true)
              void test(name).finally(() => setTesting(false))
            }}
          >
            Test
          </Button>
        }
        menu={() => actionMenu(actions(target).filter((entry) => entry === 'rule' || entry.label !== 'Test'))}
        plate={<Plate target={target} />}
      >
        <div className="mt-5">
          <Contents key={target.id} target={name} />
        </div>
      </ResourcePage>
      {/* The form opens over the page. */}
      <Outlet />
    </>
  )
}

function Plate({ target }: { target: Target }) {
  const { store, backups, stored, description, id } = target
  return (
    <DataPlate summary={placeText(target)}>
      <DataItem label="Store" wide>
        {placeText(target)}
      </DataItem>
      {store.type === 's3' && <DataItem label="Region">{store.region}</DataItem>}
      {store.type === 's3' && <DataItem label="Access key ID">{store.accessKeyId}</DataItem>}
      <DataItem label="Backups">{formatNumber(backups)}</DataItem>
      <DataItem label="Stored">
        <Size bytes={stored} />
      </DataItem>
      <DescriptionItem description={description} />
      <DataItem label="ID">
        <CopyableId id={id} max={24} />
      </DataItem>
      <TimeItems of={target} changed="Updated" />
    </DataPlate>
  )
}
