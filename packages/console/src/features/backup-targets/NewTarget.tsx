import type { InputOf, OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import {
  bucketProblem,
  encryptionKeyProblem,
  endpointProblem,
  prefixProblem,
} from '@gantry/api/backups/backup-target.rules'
import { nameFieldProblem } from '@gantry/api/base/name.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useWhyNotInFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { CheckboxField, RadioField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField, TextField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { PasswordField } from '#/kit/inputs/PasswordField.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { SecretDialog } from '#/ui/overlays/SecretDialog.tsx'
import { SecretText } from '#/ui/SecretText.tsx'
import { targetLink } from './links.ts'
import { backupStores, targetView } from './queries.ts'

/** One that holds backups has a key already, which the user has given. */
type Created = OutputOf<'backupTargetCreate'> & { isNew: boolean }

const initial = {
  name: '',
  description: '',
  type: 'folder' as 'folder' | 's3',
  folder: '',
  endpoint: '',
  region: 'us-east-1',
  bucket: '',
  prefix: '',
  pathStyle: true,
  accessKeyId: '',
  secret: '',
  isDefault: true,
  holds: 'nothing' as 'nothing' | 'backups',
  key: '',
}
type Values = typeof initial

/** Adds a place for backups. The key of a new one is shown once, after that. */
export function NewTarget() {
  const navigate = useNavigate()
  const create = useOp(op.backupTargetCreate, {
    seeds: ({ name }) => targetView(name),
  })
  const [made, setMade] = useState<Created>()
  const { data: stores } = useSuspenseQuery(backupStores)
  const usable = stores.items.find(({ problem }) => problem === null)
  return (
    <>
      <CreateForm<Values, Created>
        kind="backup target"
        initial={{ ...initial, type: usable?.type ?? initial.type }}
        save={async (values, send) => ({
          ...(await create.run({ body: bodyOf(values) }, send)),
          isNew: values.holds === 'nothing',
        })}
        onSaved={(target) => (target.isNew ? setMade(target) : void navigate(targetLink(target.name)))}
        closeTo={{ to: '/system/backup-targets' }}
        disabled={useWhyNotInFleet()}
      >
        <Fields stores={stores.items} />
      </CreateForm>
      {made && <KeyDialog target={made} onClose={() => void navigate(targetLink(made.name))} />}
    </>
  )
}

function bodyOf(values: Values): InputOf<'backupTargetCreate'>['body'] {
  const { name, description, isDefault, holds, key, type, folder } = values
  const { endpoint, region, bucket, prefix, pathStyle, accessKeyId, secret } = values
  return {
    name,
    description,
    isDefault,
    store:
      type === 'folder'
        ? { type, folder }
        : { type, endpoint, region, bucket, prefix, pathStyle, accessKeyId, secret },
    ...(holds === 'backups' && { encryptionKey: key }),
  }
}

const sentence = (problem: string | undefined): string | undefined =>
  problem && `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`

const storeLabels = { folder: 'Folder of the server', s3: 'S3 bucket' } as const

function Fields({ stores }: { stores: OutputOf<'backupStoreList'>['items'] }) {
  const type = useWatch<Values, 'type'>({ name: 'type' })
  const holds = useWatch<Values, 'holds'>({ name: 'holds' })
  return (
    <>
      <NameField name="name" />
      <DescriptionField name="description" />
      <RadioField
        name="type"
        label="Store"
        options={stores.map((store) => ({
          value: store.type,
          label: storeLabels[store.type],
          disabled: store.problem !== null,
        }))}
      />
      {stores.map((store) => store.problem !== null && <Note key={store.type}>{store.problem}</Note>)}
      {type === 'folder' ? (
        <TextField
          name="folder"
          hint="Below the folder that the setting backups.folder names. Put that one on another machine’s volume: one on the same disk is lost with it."
          problem={(folder) => nameFieldProblem(folder, 'Folder')}
        />
      ) : (
        <BucketFields />
      )}
      <RadioField
        name="holds"
        label="What it holds now"
        options={[
          { value: 'nothing', label: 'Nothing' },
          { value: 'backups', label: 'Backups, whose key I have' },
        ]}
      />
      {holds === 'backups' && (
        <TextField
          name="key"
          label="Encryption key"
          mono
          hint="As it was shown when the target was added. This installation then takes the target over: another one that wrote there no longer can."
          problem={(key) => sentence(encryptionKeyProblem(key))}
        />
      )}
      <CheckboxField name="isDefault">New backups are written there by default</CheckboxField>
    </>
  )
}

function BucketFields() {
  return (
    <>
      <TextField
        name="endpoint"
        label="Address of the server"
        placeholder="https://s3.example.com"
        hint="Without the bucket. One in a private network needs the setting egress.allowed_networks."
        problem={(endpoint) => sentence(endpointProblem(endpoint))}
      />
      <TextField name="region" />
      <TextField name="bucket" problem={(bucket) => sentence(bucketProblem(bucket))} />
      <TextField
        name="prefix"
        optional
        hint="What the names of all objects begin with."
        problem={(prefix) => sentence(prefixProblem(prefix))}
      />
      <CheckboxField name="pathStyle">The bucket is part of the path, not of the host name</CheckboxField>
      <TextField
        name="accessKeyId"
        label="Access key ID"
        mono
        hint="It may read, write, list and delete in the bucket."
      />
      <PasswordField
        name="secret"
        label="Secret of the access key"
        hint="Kept sealed, and never shown again."
        autoComplete="new-password"
      />
    </>
  )
}

/** Shows the key of a new target. Only `Done` closes it, so that no stray click loses it. */
function KeyDialog({ target: { name, encryptionKey }, onClose }: { target: Created; onClose: () => void }) {
  return (
    <SecretDialog title={`Backup target ${name} is ready`} onClose={onClose}>
      <p>All that is written there is encrypted by this key:</p>
      <SecretText label="Encryption key" text={encryptionKey} />
      <Note kind="busy" title="Copy it now. It is not shown again.">
        Keep it apart from this server. After the loss of the installation, nobody can read the backups
        without it: not the operator of the store, and not a fresh installation.
      </Note>
    </SecretDialog>
  )
}
