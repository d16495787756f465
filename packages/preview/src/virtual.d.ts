/** Made by vite.mjs: the address of the contents that a page begins with. */
declare module 'virtual:preview-data' {
  const address: string
  export default address
}
