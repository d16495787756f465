import { useSuspenseQuery } from '@tanstack/react-query'
import Copy from 'lucide-react/icons/copy'
import { copyText } from '../../../../ui/copy-text.ts'
import { DataItem, DataPlate } from '../../../../ui/DataPlate.tsx'
import type { MenuEntry } from '../../../../ui/Menu.tsx'
import { MoreActions } from '../../../../ui/RowMenu.tsx'
import { Tag } from '../../../../ui/Tag.tsx'
import { PageHead } from '../../../common/ListPage.tsx'
import { DescriptionItem, TimeItems } from '../../../common/plate-items.tsx'
import type { Router } from '../queries.ts'
import { routerView } from './queries.ts'
import { RouterDocs } from './RouterDocs.tsx'
import { Routes } from './Routes.tsx'

interface Props {
  project: string
  vpc: string
  router: string
}

/** One router: what it is, and its routes. */
export function RouterPage({ project, vpc, router: name }: Props) {
  const { data: router, error } = useSuspenseQuery(routerView(project, vpc, name))
  // Deleted by somebody else: there is nothing left to look at.
  if (error?.statusCode === 404) throw error

  const entries = (): MenuEntry[] => [
    {
      label: 'Copy ID',
      icon: <Copy aria-hidden strokeWidth={1.75} />,
      onSelect: () => void copyText(router.id),
    },
  ]
  return (
    <>
      <PageHead
        title={router.name}
        docs={<RouterDocs />}
        actions={<MoreActions label="Router actions" entries={entries} />}
      />
      <Plate router={router} />
      <Routes project={project} vpc={vpc} router={router} />
    </>
  )
}

function Plate({ router }: { router: Router }) {
  return (
    <DataPlate>
      <DescriptionItem description={router.description} />
      <DataItem label="Kind">
        <Tag mono>{router.kind}</Tag>
      </DataItem>
      <TimeItems of={router} changed="Last Modified" />
    </DataPlate>
  )
}
