import { implement } from '../../pipeline/implement.ts'
import { Reply } from '../../pipeline/implement.ts'
import {
  deleteRepository,
  listReleases,
  listRepositories,
  viewRelease,
  viewRepository,
} from './repositories.ts'
import { retryFailed, setSuspended, viewProgress, viewStatus } from './status.ts'
import { finishRecovery, setTarget, viewTarget } from './target.ts'
import { createTrustRoot, deleteTrustRoot, listTrustRoots, viewTrustRoot } from './trust-roots.ts'
import { putRelease, putRepository, writePiece } from './upload-bytes.ts'
import { completeUpload, createUpload, deleteUpload, listUploads, viewUpload } from './uploads.ts'

export const updateHttp = implement({
  systemUpdatePutRepository: (cx, { query }) => putRepository(cx, query.file_name),
  systemUpdateGetRepository: (cx, { path }) => viewRepository(cx, path),

  systemUpdateRepositoryUpload: (cx, { query }) => putRelease(cx, query.file_name),
  systemUpdateRepositoryList: (cx, { query }) => listReleases(cx, query),
  systemUpdateRepositoryView: (cx, { path }) => viewRelease(cx, path),

  targetReleaseView: (cx) => viewTarget(cx),
  targetReleaseUpdate: async (cx, { body }) => new Reply(await setTarget(cx, body.system_version)),
  systemUpdateStatus: (cx) => viewStatus(cx),
  systemUpdateRecoveryFinish: (cx, { body }) => finishRecovery(cx, body.system_version),

  systemUpdateTrustRootList: (cx, { query }) => listTrustRoots(cx, query),
  systemUpdateTrustRootCreate: (cx, { body }) => createTrustRoot(cx, body),
  systemUpdateTrustRootView: (cx, { path }) => viewTrustRoot(cx, path),
  systemUpdateTrustRootDelete: (cx, { path }) => deleteTrustRoot(cx, path),

  updateStatusView: (cx) => viewProgress(cx),
  updateSuspend: (cx) => setSuspended(cx, true),
  updateResume: (cx) => setSuspended(cx, false),
  updateRetry: (cx) => retryFailed(cx),

  updateRepositoryList: (cx) => listRepositories(cx),
  updateRepositoryDelete: (cx, { path }) => deleteRepository(cx, path),

  updateUploadList: (cx) => listUploads(cx),
  updateUploadCreate: (cx, { body }) => createUpload(cx, body),
  updateUploadView: (cx, { path }) => viewUpload(cx, path),
  updateUploadWrite: (cx, { path, query }) => writePiece(cx, path, query.offset),
  updateUploadComplete: (cx, { path }) => completeUpload(cx, path),
  updateUploadDelete: (cx, { path }) => deleteUpload(cx, path),
})
