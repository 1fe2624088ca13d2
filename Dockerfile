# One image for every command: docker run nightshift work | migrate | status …
# Files that a command writes without another path, including the private server, are in /data: docker run -v nightshift:/data nightshift demo
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY db db
COPY src src
COPY workers workers
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts
# The libraries of the image, for scanners: docker run --rm --entrypoint cat nightshift /app/sbom.cdx.json
RUN npm sbom --package-lock-only --omit=dev --omit=optional --sbom-format=cyclonedx > sbom.cdx.json

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json /app/sbom.cdx.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/src/cli/nightshift.js src/cli/nightshift.js
COPY --from=build /app/src/adapters/mail/lists/*.txt src/adapters/mail/lists/
COPY --from=build /app/db/migrations db/migrations
COPY --from=build /app/db/sql db/sql
COPY examples examples
# docker compose exec api nightshift …
RUN ln -s /app/src/cli/nightshift.js /usr/local/bin/nightshift
RUN mkdir /data && chown node:node /data
WORKDIR /data
VOLUME /data
USER node
ENTRYPOINT ["nightshift"]
CMD ["work"]
