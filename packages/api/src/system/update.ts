import { z } from 'zod'
import { initialVersion } from '../versions/newest.rules.ts'
import { FailureReason } from '../extensions.ts'
import { del, family, get, post, put } from '../op.ts'
import {
  ByteCount,
  IdPaging,
  idSorts,
  list,
  maybe,
  named,
  pageOf,
  pageTokenMax,
  paging,
  text,
  Timestamp,
  Uuid,
} from '../schema.ts'
import { u64, u8 } from '../base/uint.ts'
import {
  componentStates,
  fileNameMaxLength,
  isSemver,
  semverPattern,
  updateKindNames,
  updateUploadMaxPiece,
  updateUploadStates,
  versionMaxLength,
  versionSorts,
} from './update.rules.ts'

const Version = text(versionMaxLength, 'expected a semantic version')
  .refine(isSemver, { error: 'expected a semantic version', abort: true })
  .meta({ pattern: semverPattern })
const Hash = z.string().meta({ format: 'hex string (32 bytes)' })
const FileName = text(fileNameMaxLength)

const ArtifactId = named('ArtifactId', z.object({ name: z.string(), version: z.string(), kind: z.string() }))
const TufArtifactMeta = named(
  'TufArtifactMeta',
  z.object({
    id: ArtifactId,
    hash: Hash,
    size: u64,
    board: z.string().nullish(),
    sign: z.array(u8).nullish(),
  }),
)
export type TufArtifactMeta = z.infer<typeof TufArtifactMeta>
const TufRepoMeta = named(
  'TufRepoMeta',
  z.object({
    hash: Hash,
    targets_role_version: u64,
    valid_until: Timestamp,
    system_version: Version,
    file_name: z.string(),
  }),
)
const TufRepoDescription = named(
  'TufRepoDescription',
  z.object({ repo: TufRepoMeta, artifacts: z.array(TufArtifactMeta) }),
)
export type TufRepoDescription = z.infer<typeof TufRepoDescription>
const TufRepoInsertResponse = named(
  'TufRepoInsertResponse',
  z.object({
    recorded: TufRepoDescription,
    status: named('TufRepoInsertStatus', z.enum(['already_exists', 'inserted'])),
  }),
)
export type TufRepoInsertResponse = z.infer<typeof TufRepoInsertResponse>

const TufRepo = named(
  'TufRepo',
  z.object({ file_name: z.string(), hash: Hash, system_version: Version, time_created: Timestamp }),
)
export type TufRepo = z.infer<typeof TufRepo>
const TufRepoUpload = named(
  'TufRepoUpload',
  z.object({
    repo: TufRepo,
    status: named('TufRepoUploadStatus', z.enum(['already_exists', 'inserted'])),
  }),
)
export type TufRepoUpload = z.infer<typeof TufRepoUpload>

/** A document of The Update Framework, whose fields are signed and kept: the service reads the rest. */
const SignedDocument = z
  .looseObject({ signed: z.looseObject({}), signatures: list(z.looseObject({})) })
  .meta({ undescribed: true })

const UpdatesTrustRoot = named(
  'UpdatesTrustRoot',
  z.object({ id: Uuid, time_created: Timestamp, root_role: z.unknown() }),
)
export type UpdatesTrustRoot = z.infer<typeof UpdatesTrustRoot>

const TargetReleaseSource = named(
  'TargetReleaseSource',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('unspecified') }),
    z.object({ type: z.literal('system_version'), version: Version }),
  ]),
)
/** As the edition of August 2025 has it. */
const NumberedTargetRelease = named(
  'NumberedTargetRelease',
  z.object({
    generation: z.number().int().meta({ format: 'int64' }),
    time_requested: Timestamp,
    release_source: TargetReleaseSource,
  }),
)
export type NumberedTargetRelease = z.infer<typeof NumberedTargetRelease>
const TargetRelease = named('TargetRelease', z.object({ time_requested: Timestamp, version: Version }))

/** A repository in the list of releases. */
const UpdateRepository = named(
  'UpdateRepository',
  z.object({
    hash: Hash,
    system_version: z.string(),
    file_name: z.string(),
    time_created: Timestamp,
    valid_until: Timestamp,
    size: ByteCount,
    artifacts: z.number().int(),
    /** Whether a component runs it. */
    is_running: z.boolean(),
  }),
)
export type UpdateRepository = z.infer<typeof UpdateRepository>

/** One piece of software of the rack. */
const UpdateComponent = named(
  'UpdateComponent',
  z.object({
    kind: z.enum(updateKindNames),
    /** The sled or switch; null for the rack's own. */
    hardware_id: Uuid.nullable(),
    serial: z.string().nullable(),
    /** The slot of a sled. */
    cubby: z.number().int().nullable(),
    /** Its current version: a release, or `install dataset`. */
    version: z.string(),
    state: z.enum(componentStates),
    /** Why it waits or failed. */
    reason: z.string().nullable(),
    /** Failed attempts to install the target release. */
    attempts: z.number().int(),
    /** When its state last changed. */
    time_changed: Timestamp.nullable(),
  }),
)
export type UpdateComponent = z.infer<typeof UpdateComponent>

const UpdateStatus = named(
  'UpdateStatus',
  z.object({
    target_release: TargetRelease.nullable(),
    components_by_release_version: z.record(z.string(), z.number().int()),
    time_last_step_planned: Timestamp,
    suspended: z.boolean(),
    contact_support: z.boolean(),
  }),
)
export type UpdateStatus = z.infer<typeof UpdateStatus>

const UpdateProgress = named(
  'UpdateProgress',
  z.object({
    /** Null if a target release has never been set. */
    target_release: z.object({ version: z.string(), time_requested: Timestamp }).nullable(),
    components_by_release_version: z.record(z.string(), z.number().int()),
    time_last_step_planned: Timestamp.nullable(),
    /** Whether the operator has suspended the update: nothing further begins. */
    suspended: z.boolean(),
    /** Whether a component failed so often that retrying will not help. */
    contact_support: z.boolean(),
    components: z.array(UpdateComponent),
  }),
)
export type UpdateProgress = z.infer<typeof UpdateProgress>

/** An archive being uploaded in pieces: it resumes after a reload or a restart. */
const UpdateUpload = named(
  'UpdateUpload',
  z.object({
    id: Uuid,
    time_created: Timestamp,
    file_name: z.string(),
    size: ByteCount,
    state: z.enum(updateUploadStates),
    /** Bytes stored, from the beginning: the next piece continues here. */
    bytes_received: ByteCount,
    /** The release it became. */
    system_version: z.string().nullable(),
    /** Whether that release existed before, with the same contents. */
    already_existed: z.boolean(),
    /** Why it was refused. */
    failure: FailureReason.nullable(),
  }),
)
export type UpdateUpload = z.infer<typeof UpdateUpload>

const UpdateUploadCreate = named(
  'UpdateUploadCreate',
  z.object({ file_name: FileName.min(1), size: ByteCount }),
)
export type UpdateUploadCreate = z.infer<typeof UpdateUploadCreate>

const byVersion = z.object({ system_version: Version })
const byRoot = z.object({ trust_root_id: Uuid })
const byUpload = z.object({ upload_id: Uuid })
const base = '/v1/system/update'
const wholeUpload = {
  sentBy:
    'programs that send a release in one request; the page sends it in pieces, which survive an interruption',
}
const SetTargetReleaseParams = named('SetTargetReleaseParams', z.object({ system_version: Version }))
const ext = '/ext/v1/system/update'

export const updateOps = {
  ...family('system/update', ['tuf-repo'], {
    systemUpdatePutRepository: put(`${base}/repository`, {
      until: initialVersion,
      changes: ['tuf-repo', 'update-upload'],
      summary: 'Upload a system release repository',
      noScreen: wholeUpload,
      query: z.object({ file_name: FileName }),
      encoding: 'bytes',
      returns: TufRepoInsertResponse,
    }),
    systemUpdateGetRepository: get(`${base}/repository/{system_version}`, {
      until: initialVersion,
      summary: 'Fetch the description of a system release repository',
      noScreen: { shownBy: 'updateRepositoryList' },
      path: byVersion,
      returns: named('TufRepoGetResponse', z.object({ description: TufRepoDescription })),
    }),
    systemUpdateRepositoryUpload: put(`${base}/repositories`, {
      since: initialVersion,
      changes: ['tuf-repo', 'update-upload'],
      summary: 'Upload a system release repository',
      noScreen: wholeUpload,
      query: z.object({ file_name: FileName }),
      encoding: 'bytes',
      returns: TufRepoUpload,
    }),
    systemUpdateRepositoryList: get(`${base}/repositories`, {
      since: initialVersion,
      summary: 'List system release repositories',
      noScreen: { shownBy: 'updateRepositoryList' },
      query: z.object({
        ...paging(pageTokenMax),
        sort_by: maybe(named('VersionSortMode', z.enum(versionSorts))),
      }),
      sorts: versionSorts,
      returns: pageOf('TufRepo', TufRepo),
    }),
    systemUpdateRepositoryView: get(`${base}/repositories/{system_version}`, {
      since: initialVersion,
      summary: 'Fetch a system release repository',
      noScreen: { shownBy: 'updateRepositoryList' },
      path: byVersion,
      returns: TufRepo,
    }),
  }),
  ...family('system/update', ['target-release'], {
    targetReleaseView: get(`${base}/target-release`, {
      until: initialVersion,
      summary: 'Fetch the target release of the rack',
      noScreen: { shownBy: 'updateStatusView' },
      returns: NumberedTargetRelease,
    }),
    targetReleaseUpdate: put(`${base}/target-release`, {
      changes: ['target-release', 'system-update'],
      summary: 'Set the target release of the rack, and start updating to it',
      body: SetTargetReleaseParams,
      status: 204,
      formerAnswer: { status: 201, returns: NumberedTargetRelease, until: initialVersion },
    }),
    systemUpdateStatus: get(`${base}/status`, {
      since: initialVersion,
      reads: ['target-release', 'system-update', 'sled', 'switch'],
      summary: 'Fetch the status of the system update',
      noScreen: { shownBy: 'updateStatusView' },
      returns: UpdateStatus,
    }),
    systemUpdateRecoveryFinish: put(`${base}/recovery-finish`, {
      since: 2026022500,
      changes: ['target-release', 'system-update'],
      summary:
        'Make the release that the whole rack runs the target of a suspended update, and resume updates',
      body: SetTargetReleaseParams,
      status: 204,
    }),
  }),
  ...family('system/update', ['tuf-trust-root'], {
    systemUpdateTrustRootList: get(`${base}/trust-roots`, {
      summary: 'List trust roots, whose keys may sign repositories',
      query: IdPaging,
      sorts: idSorts,
      returns: pageOf('UpdatesTrustRoot', UpdatesTrustRoot),
    }),
    systemUpdateTrustRootCreate: post(`${base}/trust-roots`, {
      summary: 'Add a trust root',
      body: SignedDocument,
      returns: UpdatesTrustRoot,
    }),
    systemUpdateTrustRootView: get(`${base}/trust-roots/{trust_root_id}`, {
      summary: 'Fetch a trust root',
      noScreen: { shownBy: 'systemUpdateTrustRootList' },
      path: byRoot,
      returns: UpdatesTrustRoot,
    }),
    systemUpdateTrustRootDelete: del(`${base}/trust-roots/{trust_root_id}`, {
      summary: 'Delete a trust root',
      path: byRoot,
    }),
  }),
  ...family('extensions', ['system-update'], {
    updateStatusView: get(`${ext}/status`, {
      reads: ['system-update', 'target-release', 'sled', 'sled-drain', 'switch', 'fault'],
      summary: 'Fetch the progress of the update, component by component',
      returns: UpdateProgress,
    }),
    updateSuspend: post(`${ext}/suspend`, {
      summary: 'Suspend the update: components in progress finish, and no others begin',
      status: 204,
    }),
    updateResume: post(`${ext}/resume`, { summary: 'Resume a suspended update', status: 204 }),
    updateRetry: post(`${ext}/retry`, { summary: 'Retry the components whose update failed', status: 204 }),
  }),
  ...family('extensions', ['tuf-repo'], {
    updateRepositoryList: get(`${ext}/repositories`, {
      reads: ['tuf-repo', 'system-update'],
      summary: 'List system release repositories, the newest version first',
      returns: named('UpdateRepositories', z.object({ items: z.array(UpdateRepository) })),
    }),
    updateRepositoryDelete: del(`${ext}/repositories/{system_version}`, {
      summary: 'Delete a repository that is neither the target release nor running',
      path: byVersion,
    }),
  }),
  ...family('extensions', ['update-upload'], {
    updateUploadList: get(`${ext}/uploads`, {
      summary: 'List uploads of repositories, the newest first',
      returns: named('UpdateUploads', z.object({ items: z.array(UpdateUpload) })),
    }),
    updateUploadCreate: post(`${ext}/uploads`, {
      summary: 'Start the upload of a repository in pieces',
      body: UpdateUploadCreate,
      returns: UpdateUpload,
    }),
    updateUploadView: get(`${ext}/uploads/{upload_id}`, {
      summary: 'Fetch the upload of a repository',
      path: byUpload,
      returns: UpdateUpload,
    }),
    updateUploadWrite: put(`${ext}/uploads/{upload_id}/content`, {
      changes: [],
      summary: 'Upload the next bytes of a repository',
      path: byUpload,
      query: z.object({ offset: z.coerce.number().int().nonnegative() }),
      maxBytes: updateUploadMaxPiece,
      status: 204,
      audited: false,
    }),
    updateUploadComplete: post(`${ext}/uploads/{upload_id}/complete`, {
      changes: ['update-upload', 'tuf-repo'],
      summary: 'Verify the uploaded archive and add its repository',
      path: byUpload,
      returns: UpdateUpload,
      status: 202,
    }),
    updateUploadDelete: del(`${ext}/uploads/{upload_id}`, {
      summary: 'Cancel the upload of a repository, or remove an ended one',
      path: byUpload,
    }),
  }),
}
