// @chunk scim: of one tab, and of the settings of few silos.
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { canQuery, reasonOf, useWhyNot } from '#/data/permissions.ts'
import { opQuery } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { Expiry } from '#/features/access-tokens/Expiry.tsx'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { createdColumn } from '#/kit/list/columns.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { RouteAnchor } from '#/kit/links/PageLink.tsx'
import { Button } from '#/ui/Button.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Table } from '#/ui/data/Table.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { Silo } from '../queries.ts'

const ScimTokenDialog = lazyPart(() => import('./ScimTokenDialog.tsx'), 'ScimTokenDialog')
const ScimTokenMade = lazyPart(() => import('./ScimTokenDialog.tsx'), 'ScimTokenMade')

type Token = OutputOf<'scimTokenList'>[number]

const columns: Column<Token>[] = [
  { id: 'id', header: 'ID', part: 'name', cell: ({ id }) => <CopyableId id={id} max={24} /> },
  createdColumn<Token>(),
  {
    id: 'expires',
    header: 'Expires',
    part: 'meta',
    cell: ({ timeExpires }) => (timeExpires ? <Expiry value={timeExpires} /> : <Tag>Never</Tag>),
  },
]

/** The tokens by which an identity provider manages a silo's users. */
export function ScimTokens({ silo: { name, identityMode } }: { silo: Pick<Silo, 'name' | 'identityMode'> }) {
  const { data: verdict } = useQuery(canQuery({ action: 'list_children', object: 'scim_token', id: name }))
  const whyHidden = reasonOf(verdict)
  const whyNoMode =
    identityMode === 'saml_scim'
      ? undefined
      : 'Only silos with the identity mode SAML + SCIM get their users by SCIM'
  const whyNot = useWhyNot({ action: 'create_child', object: 'scim_token', id: name })
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<string>()
  return (
    <Card
      title="SCIM Tokens"
      description="An identity provider creates, changes and removes the users and groups of this silo with a token."
      flush
      actions={
        whyHidden === undefined && (
          <Button disabledReason={whyNoMode ?? whyNot} onClick={() => setOpen(true)}>
            Create token
          </Button>
        )
      }
      footer={
        <RouteAnchor href="/docs/scim" className="link">
          How to set up SCIM at an identity provider
        </RouteAnchor>
      }
    >
      {whyHidden === undefined ? (
        <Tokens silo={name} whyNoMode={whyNoMode} />
      ) : (
        <CardEmpty title="SCIM tokens not shown">{whyHidden}</CardEmpty>
      )}
      {isOpen && <ScimTokenDialog silo={name} onMade={setMade} onClose={() => setOpen(false)} />}
      {made !== undefined && <ScimTokenMade token={made} onClose={() => setMade(undefined)} />}
    </Card>
  )
}

function Tokens({ silo, whyNoMode }: { silo: string; whyNoMode: string | undefined }) {
  const { data, error, refetch } = useQuery(opQuery(op.scimTokenList, { query: { silo } }))
  const whyNot = useWhyNot({ action: 'modify', object: 'scim_token', id: silo })
  const remove = useOp(op.scimTokenDelete)
  if (error) return <SectionError failure={error} onRetry={() => void refetch()} />
  return (
    <Table
      inset
      label="SCIM tokens"
      columns={columns}
      rows={data}
      rowKey={({ id }) => id}
      actions={({ id }) =>
        rowMenu(id, 'Copy token ID', [
          {
            label: 'Delete',
            disabled: whyNot,
            onSelect: () =>
              confirmDelete({
                kind: 'SCIM token',
                name: id,
                gone: 'The identity provider that uses it can change nothing more here. Users and groups stay as they are.',
                run: () => remove.run({ path: { tokenId: id }, query: { silo } }),
              }),
          },
        ])
      }
      empty={
        <CardEmpty title="No SCIM tokens">
          {whyNoMode === undefined ? 'Create a token for your identity provider.' : `${whyNoMode}.`}
        </CardEmpty>
      }
    />
  )
}
