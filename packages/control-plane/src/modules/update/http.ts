import { implement } from '../../pipeline/implement.ts'
import { deleteRepository, listRepositories, viewRepository } from './repositories.ts'
import { retryFailed, setSuspended, viewStatus } from './status.ts'
import { setTarget, viewTarget } from './target.ts'
import { createTrustRoot, deleteTrustRoot, listTrustRoots, viewTrustRoot } from './trust-roots.ts'
import { putRepository, writePiece } from './upload-bytes.ts'
import { completeUpload, createUpload, deleteUpload, listUploads, viewUpload } from './uploads.ts'

export const updateHttp = implement({
  systemUpdatePutRepository: (cx, { query }) => putRepository(cx, query.file_name),
  systemUpdateGetRepository: (cx, { path }) => viewRepository(cx, path),

  targetReleaseView: (cx) => viewTarget(cx),
  targetReleaseUpdate: (cx, { body }) => setTarget(cx, body.system_version),

  systemUpdateTrustRootList: (cx, { query }) => listTrustRoots(cx, query),
  systemUpdateTrustRootCreate: (cx, { body }) => createTrustRoot(cx, body),
  systemUpdateTrustRootView: (cx, { path }) => viewTrustRoot(cx, path),
  systemUpdateTrustRootDelete: (cx, { path }) => deleteTrustRoot(cx, path),

  updateStatusView: (cx) => viewStatus(cx),
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
