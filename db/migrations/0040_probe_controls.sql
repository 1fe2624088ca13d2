CREATE TABLE "nightshift"."probe_controls" (
	"domain" text NOT NULL,
	"hosts" text NOT NULL,
	"local_part" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "probe_controls_domain_hosts_pk" PRIMARY KEY("domain","hosts")
);
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON nightshift.probe_controls TO nightshift_app;
