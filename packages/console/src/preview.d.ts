/** The control plane inside the page; only development builds in mode `preview` contain it. */
declare module '@gantry/preview/start' {
  /** Resolves when requests of this page are answered by the control plane in it. */
  export function start(): Promise<void>
}
